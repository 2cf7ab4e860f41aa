/** Shapes of hostile bodies; each function makes a body of about the given number of bytes. */
export const SHAPES: Readonly<Record<string, (bytes: number) => string>> = {
  arrays: (bytes) => `[${'[],'.repeat(bytes / 3)}1]`,
  nested: (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  objects: (bytes) => `[${'{},'.repeat(bytes / 3)}1]`,
  keys: (bytes) => `{${list(bytes, (at, width) => `"${String(at).padEnd(width - 5, 'k')}":1`)}}`,
  'numeric keys': (bytes) =>
    `{${list(bytes, (at, width) => `"${4_294_967_290 - at * 7_919}":${'1'.padEnd(width - 14, '1')}`)}}`,
  numbers: (bytes) => `[${list(bytes, (at, width) => `${at}.`.padEnd(width - 1, '3'))}]`,
  digits: (bytes) => '1'.repeat(bytes),
  escapes: (bytes) => `{"text":"${'\\u00e9'.repeat(bytes / 6)}"}`,
  quotes: (bytes) => `{"text":"${'\\"'.repeat(bytes / 2)}"}`,
  strings: (bytes) => `[${list(bytes, (_, width) => `"${'x'.repeat(width - 3)}"`)}]`,
  variables: (bytes) =>
    `{"destinationNumber":"5511999990001","templateId":"t","variables":{${list(bytes, (at, width) => `"${at}":"${'v'.repeat(width - 12)}"`)}}}`,
  spaces: (bytes) => `${' '.repeat(bytes)}{}`,
  media: (bytes) => sendOf('A'.repeat(bytes - (bytes % 4))),
  'escaped media': (bytes) => sendOf('\\u0041'.repeat(bytes / 6)),
  'broken media': (bytes) => sendOf(`${'A'.repeat(bytes)}!`),
}

/** The most values that the limit on values allows; together they have the given size. */
const MOST = 19_900

function list(bytes: number, item: (at: number, width: number) => string): string {
  const width = Math.max(20, Math.floor(bytes / MOST))
  return Array.from({ length: Math.min(MOST, Math.floor(bytes / width)) }, (_, at) => item(at, width)).join(',')
}

function sendOf(base64: string): string {
  return `{"destinationNumber":"5511999990001","mediaType":"image","media":"data:image/png;base64,${base64}"}`
}
