import type { ParameterFormat } from './template.ts'

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g
const NAMES: Readonly<Record<ParameterFormat, RegExp>> = { POSITIONAL: /^[1-9]\d*$/, NAMED: /^[a-z_][a-z0-9_]*$/ }

/** Names of the variables of a text, each once: as they are written, or by number. */
export function namesIn(text: string, format: ParameterFormat): string[] {
  const names = [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name))]
  return format === 'POSITIONAL' ? names.toSorted((a, b) => Number(a) - Number(b)) : names
}

/** What is wrong with the variables of a text; null when nothing is. */
export function faultOfPlaceholders(text: string, format: ParameterFormat): string | null {
  if (/\{\{|\}\}/.test(withoutPlaceholders(text))) return 'has braces that belong to no variable'
  const names = namesIn(text, format)
  const wrong = names.find((name) => !NAMES[format].test(name))
  if (wrong !== undefined) return `has a variable {{${wrong}}} that is not of the format ${format}`
  const isGapless = format === 'NAMED' || names.every((name, index) => name === String(index + 1))
  return isGapless ? null : 'has variables that are not numbered from 1 on'
}

export function hasPlaceholders(text: string): boolean {
  return text.includes('{{') || text.includes('}}')
}

/**
 * True when the text begins or ends with a variable, or two are side by side; punctuation, formatting and invisible
 * marks do not count as words.
 */
export function isAtEdge(text: string): boolean {
  return /^[\s\p{Cf}\p{P}~`]*\{\{|\}\}[\s\p{Cf}\p{P}~`]*$|\}\}[\s\p{Cf}*_~`]*\{\{/u.test(text)
}

export function withoutPlaceholders(text: string): string {
  return text.replaceAll(PLACEHOLDER, ' ')
}

/** Replaces each variable by its value, once. */
export function fillPlaceholders(text: string, valueOf: (name: string) => string): string {
  return text.replaceAll(PLACEHOLDER, (_all, name: string) => valueOf(name))
}
