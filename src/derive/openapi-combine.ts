/**
 * One method of one URL can stand for several operations: GET reads and lists, and in a generic document engines of
 * several types share a path. Then the document says all that may be sent, and all that may come back.
 */
import type { Answer, Fragment, Parameter } from "./openapi-fragment.ts";

type Content = NonNullable<Answer["content"]>;

export function combine(fragments: readonly Fragment[]): Fragment {
  const [first] = fragments;
  if (first === undefined) throw new Error("a method stands for at least one operation");
  if (fragments.length === 1) return first;
  const isOpen = fragments.every((each) => each["x-service-unauthenticated"]);
  const parameters = combinedParameters(fragments);
  const bodies = fragments.flatMap(({ requestBody }) => (requestBody ? [requestBody] : []));
  return {
    summary: [...new Set(fragments.map(({ summary }) => summary))].join("; or: "),
    ...(isOpen && { "x-service-unauthenticated": true, security: [] as const }),
    ...(fragments.some((each) => each["x-service-sudo"]) && { "x-service-sudo": true }),
    ...(fragments.some((each) => each["x-service-create-supported"]) && { "x-service-create-supported": true }),
    ...(parameters.length > 0 && { parameters }),
    ...(bodies.length > 0 && {
      requestBody: {
        required: bodies.length === fragments.length && bodies.every(({ required }) => required),
        content: combinedContent(bodies.map(({ content }) => content)),
      },
    }),
    responses: combinedAnswers(fragments),
  };
}

/** None is required: what the one operation needs, the other may not know. */
function combinedParameters(fragments: readonly Fragment[]): Parameter[] {
  const byName = new Map<string, Parameter>();
  for (const { required, ...optional } of fragments.flatMap(({ parameters = [] }) => parameters)) {
    if (!byName.has(optional.name)) byName.set(optional.name, optional);
  }
  return [...byName.values()];
}

function combinedAnswers(fragments: readonly Fragment[]): Fragment["responses"] {
  const statuses = new Set(fragments.flatMap(({ responses }) => Object.keys(responses)));
  const combined = [...statuses].sort().map((status): [string, Answer] => {
    const answers = fragments.flatMap(({ responses }) => responses[status] ?? []);
    const contents = answers.flatMap(({ content }) => (content ? [content] : []));
    const content = contents.length > 0 && { content: combinedContent(contents) };
    return [status, { description: answers[0]!.description, ...content }];
  });
  return Object.fromEntries(combined);
}

function combinedContent(contents: readonly Content[]): Content {
  const types = new Set(contents.flatMap((content) => Object.keys(content)));
  const combined = [...types].map((type) => {
    const given = contents.flatMap((content) => content[type] ?? []);
    const schemas = new Map(given.map((each) => [JSON.stringify(each.schema), each.schema]));
    if (schemas.size === 1) return [type, given[0]];
    return [type, { schema: { anyOf: [...schemas.values()] } }];
  });
  return Object.fromEntries(combined);
}
