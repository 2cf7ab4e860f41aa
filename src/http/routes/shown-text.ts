import { z } from 'zod'
import { isBlank } from '../../domain/characters.ts'

/** A text of 1 to `max` characters: code points, as JSON Schema counts them ([message-verbs.modes.8]). */
export function chars(max: number) {
  const message = `must be 1 to ${max} characters`
  return z.string().min(1, message).max(max, message)
}

/** A text that phones draw. A blank one is refused, because upstream refuses it and phones show an empty bubble. */
export function shown(max: number) {
  return chars(max).refine((text) => !isBlank(text), 'must show something: it is blank')
}
