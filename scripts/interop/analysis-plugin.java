package strongroom;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.email.UAX29URLEmailTokenizer;
import org.apache.lucene.analysis.miscellaneous.RemoveDuplicatesTokenFilter;
import org.apache.lucene.analysis.pattern.PatternCaptureGroupTokenFilter;
import org.elasticsearch.index.analysis.TokenFilterFactory;
import org.elasticsearch.index.analysis.TokenizerFactory;
import org.elasticsearch.indices.analysis.AnalysisModule.AnalysisProvider;
import org.elasticsearch.plugins.AnalysisPlugin;
import org.elasticsearch.plugins.Plugin;

/** What the index of users needs to be made, and the small distribution lacks. */
public class SmallAnalysis extends Plugin implements AnalysisPlugin {
  @Override
  public Map<String, AnalysisProvider<TokenFilterFactory>> getTokenFilters() {
    return Map.of(
        "pattern_capture",
        (index, environment, name, settings) -> {
          List<String> texts = settings.getAsList("patterns");
          Pattern[] patterns = texts.stream().map(Pattern::compile).toArray(Pattern[]::new);
          return filter(name, stream -> new PatternCaptureGroupTokenFilter(stream, true, patterns));
        },
        "unique",
        (index, environment, name, settings) -> filter(name, RemoveDuplicatesTokenFilter::new));
  }

  @Override
  public Map<String, AnalysisProvider<TokenizerFactory>> getTokenizers() {
    return Map.of(
        "uax_url_email",
        (index, environment, name, settings) -> TokenizerFactory.newFactory(name, UAX29URLEmailTokenizer::new));
  }

  private static TokenFilterFactory filter(String name, java.util.function.UnaryOperator<TokenStream> make) {
    return new TokenFilterFactory() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public TokenStream create(TokenStream stream) {
        return make.apply(stream);
      }
    };
  }
}
