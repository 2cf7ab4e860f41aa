import type { ExecutionContext } from 'ava'
import type { ProviderKind } from '../../src/domain/number.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'

export const TO = { destinationNumber: '+55 11 99999-0001' }
export const PNG = 'data:image/png;base64,iVBORw0KGgo='
export const REPLY = { type: 'QUICK_REPLY', text: 'Yes' }
export const URL_BUTTON = { type: 'URL', text: 'Open', url: 'https://example.com/' }
export const card = (fields: object = {}) => ({
  image: 'https://example.com/a.png',
  text: 'One',
  buttons: [REPLY],
  ...fields,
})
export const cards = (count: number, fields: object = {}) =>
  Array.from({ length: count }, (_, at) => card({ text: `Card ${at + 1}`, ...fields }))

/** A service over stores in memory, with a function that sends by the key of a number. */
export async function open(t: ExecutionContext, provider: ProviderKind = 'UNOFFICIAL') {
  const world = new World()
  const { number, key } = provider === 'OFFICIAL' ? world.addOfficial() : { number: world.number, key: world.numberKey }
  const client = await serve(t, world)
  const send = (body: unknown, headers: Record<string, string> = {}) =>
    client.send('POST', '/v1/messages/send', { key: key.raw, body, headers })
  return { world, client, number, key, send, accepted: world.messages.accepted }
}
