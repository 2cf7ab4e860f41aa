import type { Theme as FrameTheme } from '../../protocol/messages.ts'
import { say } from './console.ts'
import type { Theme } from './types.ts'

const COLOR = /^#[0-9a-f]{6}$/i

/** contract 18, theme. `radius` alone is a number. */
const FORMS: Readonly<Record<string, RegExp>> = {
  mode: /^(light|dark|auto)$/, primary: COLOR, background: COLOR, radius: /^(1?\d|2[0-3])(\.\d+)?$|^24$/, density: /^(comfortable|compact)$/,
}

/** A host's theme as frames take it: what is wrong is left out, and the console says so. */
export function readTheme(theme: Theme | undefined): FrameTheme {
  const read: Record<string, unknown> = { mode: 'auto', primary: null, background: null, radius: null, density: null }
  for (const [name, value] of Object.entries(typeof theme === 'string' ? { mode: theme } : { ...theme })) {
    const isRight = Object.hasOwn(FORMS, name) && typeof value === (name === 'radius' ? 'number' : 'string') && FORMS[name]?.test(String(value))
    if (isRight) read[name] = value
    else if (value !== undefined) say.warn(`theme: ${name} is left out, ${String(value)} is none`)
  }
  return read as FrameTheme
}
