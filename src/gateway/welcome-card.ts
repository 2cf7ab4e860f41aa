import { styleText } from 'node:util'
import type { Listening } from './gateway.ts'

/** What a first call looks like; with a key that is not known any more a variable stands in its place. */
function firstCall(baseUrl: string, key: string): string {
  return `curl -sX POST ${baseUrl}/v1/numbers -H "x-api-key: ${key}" -H 'content-type: application/json' \\\n    -d '{"name":"Sales","number":"5511988887777"}'`
}

/**
 * What is shown once the gateway listens: in a terminal where everything is and a first call to copy; elsewhere only a key that was just made up,
 * because nobody sees it again (contract 1).
 */
export function welcomeCard({ baseUrl, mediaPort, sandboxPort }: Listening, firstKey: string | null, isTerminal: boolean): string {
  if (!isTerminal) return firstKey === null ? '' : `\n  Tenant key of "Default", shown only now: ${firstKey}\n\n`
  const rows: [string, string][] = [['REST', `${baseUrl}/v1`], ['Docs', `${baseUrl}/docs`]]
  if (mediaPort !== null) rows.push(['Realtime', `ws://localhost:${mediaPort}`])
  if (sandboxPort !== null) rows.push(['Sandbox', `http://localhost:${sandboxPort}/control`])
  if (firstKey !== null) rows.push(['Tenant key', `${firstKey}  ${styleText('yellow', 'shown only now')}`])
  const lines = rows.map(([name, value]) => `  ${styleText('dim', name.padEnd(11))}${value}`)
  return `\n  ${styleText('bold', 'Channel messaging service')}\n\n${lines.join('\n')}\n\n  ${styleText('dim', 'A first number:')}\n  ${firstCall(baseUrl, firstKey ?? '$KEY')}\n\n`
}
