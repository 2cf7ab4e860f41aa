import { textsField, type Operations } from './operation.ts'
import { checkNumbers } from './peers.ts'

/** our choice: most numbers in one request. */
const MAX_NUMBERS = 500

/** `number.check`: which numbers have an account. The network does not tell names. */
export const checkNumber: Operations['number.check'] = async (live, fields) => {
  const checked = await checkNumbers(live, textsField(fields, 'numbers', MAX_NUMBERS))
  return await Promise.all(
    checked.map(async (one) => {
      const lid = one.number === null ? null : await live.lids.lidOf(one.number)
      return lid === null ? one : { ...one, lid }
    }),
  )
}
