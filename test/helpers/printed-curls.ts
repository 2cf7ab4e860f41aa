import { readFileSync } from 'node:fs'
import { shownSecrets } from './shown-secrets.ts'

/** A call that a document prints. */
export interface PrintedCall {
  readonly method: string
  /** The address, with the service's address and all variables filled in. */
  readonly url: string
  readonly headers: Record<string, string>
  /** The body; null when there is none. */
  readonly body: string | null
  /** Whether the answer goes to a variable instead of the terminal. */
  readonly isKept: boolean
}

/** Matches a call up to the end of its line; continued lines and quoted parts of several lines belong to it. */
const CURL = /^(\w+=\$\()?curl ((?:\\\n| # [^\n]*|'[^']*'|"(?:[^"\\]|\\.)*"|[^\n'"])*)/gm
/** Matches one word of the shell: quoted and bare parts without a space between them. */
const WORD = /(?:"[^"]*"|'[^']*'|[^\s"'\\])+/g

/**
 * Every `curl` of a document, in order, with variables filled in as a shell would. The path is relative to the root.
 * Throws for an unknown variable or option, so that nothing is misread.
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
 * Sends a printed call; `change` replaces values of its body that the test needs otherwise. Throws when a reader would
 * see a secret in the terminal.
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
