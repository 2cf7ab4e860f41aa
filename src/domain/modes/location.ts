import { faulty, read } from '../fault.ts'
import type { Read } from '../fault.ts'
import type { Maybe } from '../send-body.ts'

/** A place on the map, in degrees (WGS 84). */
export interface LocationBody {
  readonly latitude: number
  readonly longitude: number
  readonly name?: Maybe<string>
  readonly address?: Maybe<string>
}

export interface LocationMode {
  readonly mode: 'location'
  readonly location: {
    readonly latitude: number
    readonly longitude: number
    readonly name?: string
    readonly address?: string
  }
}

/** Upstream draws a place between these degrees. */
const MOST = { latitude: 90, longitude: 180 } as const

/** Reads a place ([message-verbs.modes.1]); a name or an address that says nothing is left out. */
export function readLocation({ latitude, longitude, name, address }: LocationBody): Read<LocationMode> {
  const faults = Object.entries({ latitude, longitude }).flatMap(([field, degrees]) => {
    const most = MOST[field as keyof typeof MOST]
    return Math.abs(degrees) <= most
      ? []
      : [{ path: `location.${field}`, message: `must be degrees from -${most} to ${most}` }]
  })
  if (faults.length > 0) return faulty(...faults)
  const words = { ...(name ? { name } : {}), ...(address ? { address } : {}) }
  return read({ mode: 'location', location: { latitude, longitude, ...words } })
}
