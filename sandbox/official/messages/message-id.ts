import { randomBytes } from 'node:crypto'

/** Which message an id names. */
export interface NamedMessage {
  /** Whom it is exchanged with: digits, or the id of a user who hides the number. */
  readonly who: string
  readonly isOfBusiness: boolean
  /** What all ids of the message have in common. */
  readonly key: string
}

/**
 * An id as the platform makes it: `wamid.` and, in base64, a struct in Thrift's compact protocol of whom the message is
 * exchanged with, who wrote it, and its key.
 */
export function messageIdOf({ who, isOfBusiness, key }: NamedMessage): string {
  const isDigits = /^\d+$/.test(who)
  const person = Buffer.concat([Buffer.from([0x1c, 0x18, who.length]), Buffer.from(who)])
  const kind = Buffer.from([0x15, isDigits ? 0x02 : 0x14, 0x00, isOfBusiness ? 0x11 : 0x12])
  const end = Buffer.concat([Buffer.from([0x18, key.length]), Buffer.from(key), Buffer.from([0x00])])
  return `wamid.${Buffer.concat([person, kind, end]).toString('base64')}`
}

/** A new id of a message of the business to somebody, or of somebody to the business. */
export function newMessageId(who: string, isOfBusiness: boolean): string {
  const random = randomBytes(isOfBusiness ? 8 : 15).toString('hex')
  return messageIdOf({ who, isOfBusiness, key: `${isOfBusiness ? '3EB0' : 'AC'}${random.toUpperCase()}` })
}
