import { RefusalError, refuse } from '../../domain/errors.ts'

/** 413 PAYLOAD_TOO_LARGE, saying which bound it is ([rest.errors.7]). */
export function tooLarge(message: string): RefusalError {
  return new RefusalError(refuse('PAYLOAD_TOO_LARGE', message))
}

/** The refusal of a body with more JSON values than its route takes ([rest.bounds.1]). */
export function tooManyValues(most: number): RefusalError {
  return tooLarge(`The body holds more than ${most} JSON values`)
}
