import { RefusalError, refuse } from '../../domain/errors.ts'

/** 413 PAYLOAD_TOO_LARGE, saying which bound it is (contract 2). */
export function tooLarge(message: string): RefusalError {
  return new RefusalError(refuse('PAYLOAD_TOO_LARGE', message))
}

/** Refuses a body over the values its route reads. */
export function tooManyValues(most: number): RefusalError {
  return tooLarge(`The body holds more than ${most} JSON values`)
}
