import test from 'ava'
import fc from 'fast-check'
import { messageIdOf } from '../../sandbox/official/messages/message-id.ts'
import { messageKey } from '../../src/domain/message-key.ts'
import { caseFile } from '../helpers/messaging-cases.ts'

test('[identities.looking-up.3] the ids of one message, by number and by user id, hold one key', (t) => {
  const ids = new Set(
    caseFile('01-two-names-of-one-message.json')
      .toString()
      .match(/wamid\.[A-Za-z0-9+/=]+/g),
  )
  t.deepEqual([...ids].map(messageKey).toSorted(), [
    '3EB001A211326503AA01',
    '3EB001A211326503AA01',
    'B100000000000000000000000000AA01',
  ])
})

const hex = fc.stringMatching(/^[0-9A-F]{16,40}$/)
const who = fc.oneof(fc.stringMatching(/^\d{8,15}$/), fc.stringMatching(/^[A-Z]{2}\.\d{10,20}$/))

test('whoever is named in an id and whoever wrote the message, the key is the same, and other messages have others', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(hex, who, fc.boolean(), (key, one, isOfBusiness) => {
        const id = messageIdOf({ who: one, isOfBusiness, key })
        return (
          messageKey(id) === key
          && messageKey(key) === key
          && messageKey(id.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_')) === key
          && messageKey(id.toLowerCase()) !== key
        )
      }),
    ),
  )
})

/** A struct of an id as hexadecimal digits. */
function idOf(hexText: string): string {
  return `wamid.${Buffer.from(hexText, 'hex').toString('base64')}`
}
const KEY_HEX = Buffer.from('3EB001A211326503').toString('hex')

test('fields that ids do not have yet are passed over', (t) => {
  for (const struct of [
    `1c18023131150200111810${KEY_HEX}00`,
    `1c18023131150200111810${KEY_HEX}150200`, // a number behind the key
    `1c1802313115021c1100160400111810${KEY_HEX}00`, // a struct and a number in the first
    `0c02180231310011080610${KEY_HEX}00`, // numbers of fields that are written out
  ])
    t.is(messageKey(idOf(struct)), '3EB001A211326503', struct)
})

test('what is no id of the platform is its own key, whatever it holds', (t) => {
  for (const id of [
    '',
    '3EB001A211326503AA01',
    'false_15551230001@c.us_3EB001A211326503AA01',
    'wacid.HBgLMTU1NTEyMzAwMDEVAgARGBQzRUIwMDFBMjExMzI2NTAzQUEwMQA=',
    'wamid.',
    'wamid.HBgM',
    'wamid.HBgN no base64',
    `wamid.${'A'.repeat(600)}`,
    idOf('00'),
    idOf(`1c18023131150200111810${KEY_HEX.slice(2)}`), // it ends too early
    idOf(`1c1802313115020011187f${KEY_HEX}00`),
    idOf('1c180231311502001118033344440000'), // too short for a key
    idOf(`1c18023131150200111810${'20'.repeat(16)}00`), // spaces
    idOf(`1c18023131150200111910${KEY_HEX}00`), // a list
    idOf('1c'.repeat(100)),
    idOf('15ffffffffffffffffffffff'),
  ])
    t.is(messageKey(id), id)
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      const id = `wamid.${Buffer.from(bytes).toString('base64')}`
      const key = messageKey(id)
      return key === id || Buffer.from(bytes).includes(Buffer.from(key))
    }),
    { numRuns: 2_000 },
  )
})
