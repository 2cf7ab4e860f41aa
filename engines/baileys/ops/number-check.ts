import { textsField, type Operations } from './operation.ts'
import { checkNumbers } from './peers.ts'

/** our choice: numbers of one request. */
const MAX_NUMBERS = 500

/** `number.check`: which numbers have an account; names are not told by the network. */
export const checkNumber: Operations['number.check'] = (live, fields) =>
  checkNumbers(live, textsField(fields, 'numbers', MAX_NUMBERS))
