import { styleText } from 'node:util'
import type { Opened } from './gateway.ts'
import { sandboxPageUrl } from './open-upstreams.ts'

/** An example of a first call. A variable stands in place of a key that is no longer known. */
function firstCall(baseUrl: string, key: string): string {
  return `curl -sX POST ${baseUrl}/v1/numbers -H "x-api-key: ${key}" -H 'content-type: application/json' \\\n    -d '{"name":"Sales","number":"5511988887777"}'`
}

/**
 * The text shown once the gateway listens. A terminal gets all addresses and a first call to copy. Anything else gets
 * only what was just generated, because it is not shown again: the first key ([configuration.variables.16]) and a login
 * link ([sessions.login-links.2]).
 */
export function welcomeCard(
  { listening: { baseUrl, mediaPort, sandboxPort }, firstKey, loginUrl }: Opened,
  isTerminal: boolean,
): string {
  if (!isTerminal) {
    const made = [
      firstKey === null ? '' : `  Tenant key of "Default", shown only now: ${firstKey}\n`,
      loginUrl === null ? '' : `  Sign in once, within 15 minutes: ${loginUrl}\n`,
    ].join('')
    return made === '' ? '' : `\n${made}\n`
  }
  const rows: [string, string][] = [
    ['REST', `${baseUrl}/v1`],
    ['Docs', `${baseUrl}/docs`],
  ]
  if (mediaPort !== null) rows.push(['Realtime', `ws://localhost:${mediaPort}`])
  if (sandboxPort !== null) rows.push(['Sandbox', sandboxPageUrl(sandboxPort)])
  if (loginUrl !== null) rows.push(['Sign in', `${loginUrl}  ${styleText('dim', 'once, within 15 minutes')}`])
  if (firstKey !== null) rows.push(['Tenant key', `${firstKey}  ${styleText('yellow', 'shown only now')}`])
  const lines = rows.map(([name, value]) => `  ${styleText('dim', name.padEnd(11))}${value}`)
  return `\n  ${styleText('bold', 'Channel messaging service')}\n\n${lines.join('\n')}\n\n  ${styleText('dim', 'A first number:')}\n  ${firstCall(baseUrl, firstKey ?? '$KEY')}\n\n`
}
