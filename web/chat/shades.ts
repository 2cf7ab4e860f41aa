import { contrast } from '../../src/domain/contrast.ts'
import type { ThemeColors } from '../../src/domain/contrast.ts'

/**
 * Shades that complement a theme's colours, as `#rrggbb`. Theme texts are readable on the shades they stand on, and
 * signs are distinguishable from them.
 */
export interface Shades {
  /** Background of received messages, of what is pointed at, and of side notes. */
  readonly soft: string
  /** Background of our own messages and of what is chosen. */
  readonly ours: string
  /** Secondary text, on the background and on `soft`. */
  readonly muted: string
  /** Lines between elements. */
  readonly line: string
  /** Borders of fields. */
  readonly fieldLine: string
  /** Failures: text on the background, signs on `ours`. */
  readonly danger: string
}

/** WCAG 2.2, 1.4.3 and 1.4.11: contrast of text, and of controls. */
const TEXT_RATIO = 4.5
const CONTROL_RATIO = 3
/** Reds for light and for dark backgrounds. */
const REDS = ['#b3261e', '#ffb4ab']
/** Our choice: shares of the other colour in a shade; the first one with enough contrast is taken. */
const SOFT = [0.07, 0.05, 0.03]
const OURS = [0.2, 0.14, 0.07]
const MUTED = [0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95]
const LINE = 0.16
const FIELD_LINE = 0.56

/** The shades for a theme's colours. */
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

/** Mixes a share of another colour, 0 to 1, into a colour. */
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
