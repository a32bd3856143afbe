/** Text made safe for a place where some characters mean something: HTML, a script's string, a URL's query. */

const htmlEscapes: Readonly<Record<string, string>> = {
  "\0": "\ufffd",
  '"': "&#34;",
  "'": "&#39;",
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
};

export const escapeHtml = (text: string): string => text.replace(/[\0"'&<>]/g, (character) => htmlEscapes[character]!);

const scriptEscapes: Readonly<Record<string, string>> = { "\\": "\\\\", "'": "\\'", '"': '\\"' };

export const escapeJavaScript = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters end a script's string.
  text.replace(/[\\'"<>&=\0-\x1f\u2028\u2029]/g, (character) => scriptEscapes[character] ?? unicodeEscape(character));

const unicodeEscape = (character: string) =>
  `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;

export const escapeQuery = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replaceAll("%20", "+")
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
