import type { LogItem } from './log-item.ts'

/**
 * Writes an attempt as a command of a POSIX shell that sends it again, without its signature. Every text is quoted, so
 * that nothing in it is read by the shell.
 */
export function asCurl(url: string, numberId: string, { event, eventId, attempt, payload }: LogItem): string {
  const headers = {
    'content-type': 'application/json',
    'webhook-id': eventId,
    'x-channel-event': event,
    'x-channel-number-id': numberId,
    'x-webhook-attempt': String(attempt),
  }
  return [
    `curl -X POST ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
    `  --data-raw ${quoted(payload)}`,
  ].join(' \\\n')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
