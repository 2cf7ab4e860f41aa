import type { Checker } from './checker.ts'

/** The setting that holds was not followed by another one that a client was told of (a linearizable register). */
export const lastSettingHolds: Checker = ({ cluster: { database }, numbers, configured }) =>
  numbers.flatMap((numberId) => {
    const own = configured.filter((one) => one.numberId === numberId)
    const word = database.rows.numbers.get(numberId)?.settings.msgRejectCall ?? null
    const held = own.find((one) => one.word === word)
    if (word !== null && !held) return [`${numberId} has ${word}, which nobody asked for`]
    return own
      .filter(({ beganMs, endedMs }) => endedMs !== null && beganMs > (held ? (held.endedMs ?? Infinity) : -Infinity))
      .map((lost) => `${lost.word} was set for ${numberId} after ${word}, which it has`)
  })

/** Once a client was told that a setting is changed, the device has it, and whatever follows. */
export const settingsAreUsed: Checker = ({ cluster: { database, upstream }, numbers, configured }) =>
  numbers.flatMap((numberId) => {
    const word = database.rows.numbers.get(numberId)?.settings.msgRejectCall ?? null
    const used = upstream.device(numberId).settings.msgRejectCall
    // Who is not told that it is changed asks again.
    const isTold = configured.some((one) => one.word === word && one.endedMs !== null)
    return used === word || !isTold ? [] : [`${numberId} has ${word}, its device ${used}`]
  })
