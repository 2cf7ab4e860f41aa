/** A piece of TypeScript that is neither comment nor white space. */
export interface Token {
  /** `text` is the content of a string, a part of a template between its `${}`, a name, or punctuation. */
  readonly kind: 'string' | 'template' | 'name' | 'mark'
  readonly text: string
  readonly line: number
}

const SPACE = /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\//y
const STRING = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"/y
const NAME = /[\p{L}_$#][\p{L}\p{N}_$]*|\d[\w.]*/uy
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
const TEMPLATE = /((?:[^`\\$]|\\[\s\S]|\$(?!\{))*)(`|\$\{)/y
const MARK = /===|!==|=>|\?\.|\?\?|&&|\|\||[^\s]/uy
/** After one of these a slash is a division; anywhere else it begins a regular expression. */
const OPERAND = /^(?:[\p{L}\p{N}_$#]|\)|\])/u
const BEFORE_REGEX = new Set(['return', 'case', 'typeof', 'of', 'in', 'await'])

/** Splits a file into tokens. It knows only as much of the language as the style of this code needs. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  /** For each open brace, whether a template continues after it. */
  const braces: boolean[] = []
  let at = 0
  let line = 1

  function take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match) {
      at += match[0].length
      line += match[0].split('\n').length - 1
    }
    return match
  }

  function add(kind: Token['kind'], content: string, from: number): void {
    tokens.push({ kind, text: content, line: from })
  }

  function template(): void {
    const from = line
    const part = take(TEMPLATE)
    add('template', part?.[1] ?? '', from)
    if (part?.[2] === '${') braces.push(true)
  }

  function isOperandBefore(): boolean {
    const last = tokens.at(-1)
    return last !== undefined && last.kind !== 'mark' ? !BEFORE_REGEX.has(last.text) : OPERAND.test(last?.text ?? '')
  }

  while (at < text.length) {
    if (take(SPACE)) continue
    const from = line
    const string = take(STRING)
    if (string) add('string', string[1] ?? string[2] ?? '', from)
    else if (text[at] === '`') {
      at++
      template()
    } else if (text[at] === '/' && !isOperandBefore() && take(REGEX)) continue
    else {
      const name = take(NAME)
      if (name) {
        add('name', name[0], from)
        continue
      }
      const mark = take(MARK)?.[0] ?? ''
      if (mark === '{') braces.push(false)
      if (mark === '}' && braces.pop() === true) template()
      else add('mark', mark, from)
    }
  }
  return tokens
}
