import { contrast } from '../../src/domain/contrast.ts'
import type { ThemeColors } from '../../src/domain/contrast.ts'

/**
 * Shades beside a theme's colours, `#rrggbb`: texts of the theme can be read on those that they stand on, and signs
 * told from them.
 */
export interface Shades {
  /** Below what came in, what is pointed at and what is told by the way. */
  readonly soft: string
  /** Below our own messages and what is chosen. */
  readonly ours: string
  /** Texts that matter less, on the background and on `soft`. */
  readonly muted: string
  /** Between things. */
  readonly line: string
  /** Around fields. */
  readonly fieldLine: string
  /** Of what failed: texts on the background, signs on `ours`. */
  readonly danger: string
}

/** WCAG 2.2, 1.4.3 and 1.4.11. */
const TEXT_RATIO = 4.5
const CONTROL_RATIO = 3
/** Reds, one for light and one for dark backgrounds. */
const REDS = ['#b3261e', '#ffb4ab']
/** Our choice: shares of the other colour in a shade; the first that serves is taken. */
const SOFT = [0.07, 0.05, 0.03]
const OURS = [0.2, 0.14, 0.07]
const MUTED = [0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95]
const LINE = 0.16
const FIELD_LINE = 0.56

/** The shades of a theme's colours. */
export function shadesOf({ background, text, primary, link }: ThemeColors): Shades {
  const carries = (shade: string): boolean =>
    contrast(text, shade) >= TEXT_RATIO && contrast(link, shade) >= CONTROL_RATIO
  const soft =
    [
      ...SOFT.map((share) => mix(background, text, share)),
      ...SOFT.map((share) => mix(background, opposite(text), share)),
    ].find(carries) ?? background
  const ours = OURS.map((share) => mix(background, primary, share)).find(carries) ?? soft
  const fieldLine = mix(background, text, FIELD_LINE)
  return {
    soft,
    ours,
    line: mix(background, text, LINE),
    muted:
      MUTED.map((share) => mix(background, text, share)).find((shade) => isReadable(shade, [background, soft])) ?? text,
    fieldLine: contrast(fieldLine, background) >= CONTROL_RATIO ? fieldLine : text,
    danger: REDS.find((red) => isReadable(red, [background]) && contrast(red, ours) >= CONTROL_RATIO) ?? text,
  }
}

function isReadable(text: string, backgrounds: readonly string[]): boolean {
  return backgrounds.every((background) => contrast(text, background) >= TEXT_RATIO)
}

function opposite(text: string): string {
  return text === '#ffffff' ? '#000000' : '#ffffff'
}

/** A colour with a share of another, 0 to 1. */
function mix(color: string, other: string, share: number): string {
  return `#${[1, 3, 5]
    .map((at) =>
      Math.round(channel(color, at) * (1 - share) + channel(other, at) * share)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

function channel(color: string, at: number): number {
  return Number.parseInt(color.slice(at, at + 2), 16)
}
