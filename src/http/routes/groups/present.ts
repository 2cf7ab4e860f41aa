import type { DeviceOps } from '../../../domain/device-ops.ts'

type GroupSummary = DeviceOps['listGroups']['value'][number]
type Group = DeviceOps['getGroup']['value']
type NumberCheck = DeviceOps['checkNumbers']['value'][number]

export function presentSummary({ id, name }: GroupSummary) {
  return { id, name }
}

/** A group with its participants. `subject` is the field it is created with. */
export function presentGroup({ id, name, participants }: Group) {
  return { id, name, subject: name, participants: participants.map(({ number, isAdmin }) => ({ number, isAdmin })) }
}

/**
 * The checks in the order asked, under the texts asked with. A number that the device says nothing about does not
 * exist.
 */
export function presentChecks(
  asked: readonly { readonly input: string; readonly digits: string }[],
  checks: readonly NumberCheck[],
) {
  return asked.map(({ input, digits }) => {
    const check = checks.find((one) => one.input === digits)
    return { input, exists: check?.exists ?? false, number: check?.number ?? null, name: check?.name ?? null }
  })
}
