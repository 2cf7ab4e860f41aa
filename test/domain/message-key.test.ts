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

/** An id that holds only a key; its length is written in `lengthHex`. */
function idOfKey(key: string, lengthHex = key.length.toString(16).padStart(2, '0')): string {
  return idOf(`38${lengthHex}${Buffer.from(key).toString('hex')}00`)
}

test('a key has 8 to 128 characters of ASCII, and no space before, in or behind them', (t) => {
  for (const key of ['12345678', '!~!~!~!~', 'A'.repeat(127)]) t.is(messageKey(idOfKey(key)), key)
  t.is(messageKey(idOfKey('A'.repeat(128), '8001')), 'A'.repeat(128))
  for (const id of [
    ...['', '1234567', ' 12345678', '1234 5678', '12345678 ', '12345678\n', '\u007f12345678'].map((key) =>
      idOfKey(key),
    ),
    idOfKey('A'.repeat(129), '8101'),
  ])
    t.is(messageKey(id), id)
})

test('an id of up to 512 characters is read, and a longer one is its own key', (t) => {
  const id = idOfKey('3EB001A211326503').replace(/=+$/, '')
  for (const characters of [id.length, 510, 512]) t.is(messageKey(id.padEnd(characters, 'A')), '3EB001A211326503')
  for (const long of [513, 514].map((characters) => id.padEnd(characters, 'A'))) t.is(messageKey(long), long)
})

test('both alphabets of base64 are read, with their two characters that differ', (t) => {
  for (const [key, sign, other] of [
    ['>>>>>>>>', '+', '-'],
    ['????????', '/', '_'],
  ] as const) {
    const id = idOfKey(key)
    t.true(id.includes(sign))
    t.is(messageKey(id), key)
    t.is(messageKey(id.replaceAll(sign, other)), key)
  }
})

test('of the length of a key the low 32 bits count', (t) => {
  for (const lengthHex of ['10', '9000', '9080808000', '908080808001', '90808080808001'])
    t.is(messageKey(idOfKey('3EB001A211326503', lengthHex)), '3EB001A211326503', lengthHex)
})

test('fields before the key are passed over when their type is known and no deeper than four structs', (t) => {
  const after = (fields: string) => messageKey(idOf(`${fields}2810${KEY_HEX}00`))
  for (const known of ['11', '12', '13ff', '1300', '14ff01', '15ff01', '16ff01', '1800', '1802ff38', '1c00'])
    t.is(after(known), '3EB001A211326503', known)
  t.is(after(`${'1c'.repeat(4)}${'00'.repeat(4)}`), '3EB001A211326503')
  for (const unknown of [
    `${'1c'.repeat(5)}${'00'.repeat(5)}`,
    ...['10', '17', '19', '1a', '1b', '1d', '1e', '1f'].flatMap((head) => [head, `${head}00`]),
  ])
    t.is(after(unknown), idOf(`${unknown}2810${KEY_HEX}00`), unknown)
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
    idOf(`3810${KEY_HEX}`), // it has no end
    idOf(`187f2810${KEY_HEX}00`), // a field is longer than the rest
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
