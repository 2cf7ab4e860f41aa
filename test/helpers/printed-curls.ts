import { readFileSync } from 'node:fs'
import { shownSecrets } from './shown-secrets.ts'

/** A call as a document prints it. */
export interface PrintedCall {
  readonly method: string
  /** What stands in it for the address of the service is that address, and every variable what it was given as. */
  readonly url: string
  readonly headers: Record<string, string>
  /** Null where it sends none. */
  readonly body: string | null
  /** Its answer goes to a variable, and is shown to nobody. */
  readonly isKept: boolean
}

/** It ends with its line, but for a line that goes on, and for a quoted part that has several. */
const CURL = /^(\w+=\$\()?curl ((?:\\\n| # [^\n]*|'[^']*'|"(?:[^"\\]|\\.)*"|[^\n'"])*)/gm
/** What a shell reads as one word here: quoted parts and bare ones side by side. */
const WORD = /(?:"[^"]*"|'[^']*'|[^\s"'\\])+/g

/**
 * Every `curl` of a document below the root, in its order, with variables put in where a shell would put them. Throws
 * for one that is not given, and for an option that is not known here: what cannot be read is not taken for something
 * else.
 */
export function printedCalls(document: string, variables: Readonly<Record<string, string>>): PrintedCall[] {
  const text = readFileSync(new URL(`../../${document}`, import.meta.url), 'utf8')
  return [...text.matchAll(CURL)].map(([, kept, words = '']) => ({
    ...callOf(kept === undefined ? words : words.replace(/\)$/, ''), variables),
    isKept: kept !== undefined,
  }))
}

function callOf(command: string, variables: Readonly<Record<string, string>>): Omit<PrintedCall, 'isKept'> {
  const words = (command.match(WORD) ?? []).map((word) => shellWord(word, variables))
  const headers: Record<string, string> = {}
  let [method, url, body]: [string | null, string, string | null] = [null, '', null]
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const value = (): string => words[++at] ?? ''
    if (word === '#') break
    if (word === '-H') {
      const [name = '', ...rest] = value().split(': ')
      headers[name] = rest.join(': ')
    } else if (word === '-d') body = value()
    else if (word === '-X' || word === '-sX') method = value()
    else if (word.startsWith('-') && word !== '-s') throw new Error(`an option that is not known here: ${word}`)
    else if (!word.startsWith('-')) url = word.includes('://') ? word : `http://${word}`
  }
  return { method: method ?? (body === null ? 'GET' : 'POST'), url, headers, body }
}

function shellWord(word: string, variables: Readonly<Record<string, string>>): string {
  return word.replaceAll(
    /'([^']*)'|"([^"]*)"|([^'"]+)/g,
    (_, single: string | undefined, double: string | undefined, bare: string | undefined) => {
      if (single !== undefined) return single
      return (double ?? bare ?? '').replaceAll(/\$(\w+)/g, (_whole, name: string) => {
        const value = variables[name]
        if (value === undefined) throw new Error(`nothing is given for $${name}`)
        return value
      })
    },
  )
}

/**
 * Makes a printed call, after changes of its body where a test needs other values than the document prints. Throws
 * where a reader would find a secret in the terminal.
 */
export async function makeCall(
  { method, url, headers, body, isKept }: PrintedCall,
  change: (body: any) => object = (same) => same,
): Promise<{ readonly status: number; readonly body: any }> {
  const response = await fetch(url, {
    method,
    headers,
    ...(body === null ? {} : { body: JSON.stringify(change(JSON.parse(body))) }),
  })
  const answer = await response.text()
  if (!isKept && shownSecrets(answer).length > 0) throw new Error(`${method} ${url} shows a secret`)
  return { status: response.status, body: JSON.parse(answer) }
}
