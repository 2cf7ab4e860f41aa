import { isLid } from '../../src/domain/identity.ts'
import { toDigits } from '../../src/domain/phone.ts'
import type { DeviceNetwork } from '../devices/network.ts'
import type { DeviceSession } from '../devices/session.ts'
import { ControlRefusal } from './refusal.ts'

/** Reads a phone number; a `+` is accepted. */
export function readNumber(text: string | undefined): string {
  const digits = toDigits(text ?? '')
  if (digits === null) throw new ControlRefusal(400, 'VALIDATION', 'This is no phone number: 8 to 15 digits')
  return digits
}

/** Reads a person: a phone number, or the id of one who hides it (`...@lid`). */
export function readPerson(text: string | undefined): string {
  return text !== undefined && isLid(text) ? text : readNumber(text)
}

/** Reads a peer: a phone number, or the unchanged address of a group or newsletter. */
export function readPeer(text: string | undefined): string {
  return text?.includes('@') === true ? text : readNumber(text)
}

/** Reads a number of ms in a query; null when it is absent. */
export function readMs(query: URLSearchParams, name: string): number | null {
  const text = query.get(name)
  if (text === null) return null
  const ms = Number(text)
  if (text === '' || !Number.isFinite(ms) || ms < 0)
    throw new ControlRefusal(400, 'VALIDATION', `${name} is a number of ms`)
  return ms
}

/** Finds the session of a gateway number, 404 when no gateway ever started one. */
export function findDevice(network: DeviceNetwork, number: string): DeviceSession {
  const [session] = network.sessionsOf(number)
  if (!session) throw new ControlRefusal(404, 'DEVICE_NOT_FOUND', 'No gateway has started a session for this number')
  return session
}

/** Finds the linked session of a gateway number, 409 when there is none. */
export function findLinked(network: DeviceNetwork, number: string): DeviceSession {
  const session = network.sessionsOf(number).find(({ isOpen }) => isOpen)
  if (!session) throw new ControlRefusal(409, 'NOT_CONNECTED', 'This number is not linked to a device')
  return session
}
