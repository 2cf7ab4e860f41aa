/** Counts of what clients did in the name of each number: whether ever two of them did so at once. */

/** Of one number. */
export type SocketCount = {
  /** Sockets of its linked devices that are logged in now. */
  open: number
  /** The most that ever were at once. */
  most: number
  /** Logins while a socket of the number was open that another program had, or one of which the program is unknown. */
  overlaps: number
  /** Logins while only sockets of the same program were open: it gave one up, and that was not seen to end yet. */
  again: number
  /** Stanzas that came in on a socket after a later one of its device had logged in. */
  late: number
  logins: number
  /** Devices that its phone linked. */
  scans: number
}

export type SocketCounts = {
  all: ReadonlyMap<string, SocketCount>
  /** `program` is the name that the client's program gave itself; null without one. */
  opened(number: string, program: string | null): void
  closed(number: string, program: string | null): void
  heardLate(number: string): void
  scanned(number: string): void
}

/** Makes counts that are all 0. */
export function countSockets(): SocketCounts {
  const all = new Map<string, SocketCount>()
  const programs = new Map<string, (string | null)[]>()
  const of = (number: string): SocketCount => {
    const count = all.get(number) ?? { open: 0, most: 0, overlaps: 0, again: 0, late: 0, logins: 0, scans: 0 }
    all.set(number, count)
    return count
  }
  return {
    all,
    opened: (number, program) => {
      const count = of(number)
      const open = programs.get(number) ?? []
      count.logins += 1
      if (open.some((other) => other === null || other !== program)) count.overlaps += 1
      else if (open.length > 0) count.again += 1
      programs.set(number, [...open, program])
      count.open += 1
      count.most = Math.max(count.most, count.open)
    },
    closed: (number, program) => {
      const open = programs.get(number) ?? []
      programs.set(number, open.toSpliced(open.indexOf(program), 1))
      of(number).open -= 1
    },
    heardLate: (number) => void (of(number).late += 1),
    scanned: (number) => void (of(number).scans += 1),
  }
}
