import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** Levels of the log by their number, as a terminal shows them. */
const LEVELS: Readonly<Record<number, readonly [string, Style]>> = {
  10: ['trace', 'dim'],
  20: ['debug', 'dim'],
  30: ['info', 'green'],
  40: ['warn', 'yellow'],
  50: ['error', 'red'],
  60: ['fatal', 'red'],
}
const HEAD = new Set(['level', 'time', 'program', 'msg', 'stack'])

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * A log line for people: time of day, level, program, message and fields, with the stack below. A text that is not JSON
 * stays unchanged.
 */
export function terminalLine(text: string): string {
  let line: Readonly<Record<string, unknown>>
  try {
    line = JSON.parse(text) as Readonly<Record<string, unknown>>
  } catch {
    return text
  }
  const [level, style] = LEVELS[Number(line['level'])] ?? ['log', 'white' as const]
  const at = new Date(String(line['time'])).toTimeString().slice(0, 8)
  const fields = Object.entries(line)
    .filter(([name]) => !HEAD.has(name))
    .map(([name, value]) => `${name}=${shown(value)}`)
  const stack = typeof line['stack'] === 'string' ? `\n${line['stack']}` : ''
  return `${styleText('dim', at)} ${styleText(style, level.padEnd(5))} ${styleText('dim', shown(line['program'] ?? ''))} ${shown(line['msg'] ?? '')}${fields.length > 0 ? ` ${styleText('dim', fields.join(' '))}` : ''}${stack}\n`
}
