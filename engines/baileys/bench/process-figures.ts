import { readFileSync } from 'node:fs'

/** proc(5): the kernel's ticks and pages. */
const TICKS_PER_SECOND = 100
const PAGE_BYTES = 4_096
const MIB = 2 ** 20

/** Resident memory of a process, in MiB. */
export function residentMib(pid: number): number {
  return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES) / MIB
}

/** CPU that a process used, in ms. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_SECOND
}

/** The value below which `share` of the values lie. */
export function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
