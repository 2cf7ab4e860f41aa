import type { SignalDataSet, SignalDataTypeMap, SignalKeyStore } from 'baileys'

/** Signal keys in memory. `wipe` deletes all of them. */
export function memoryKeys(): SignalKeyStore & { wipe(): void } {
  const rows = new Map<string, unknown>()
  return {
    get: <T extends keyof SignalDataTypeMap>(type: T, ids: string[]) => {
      const found: Record<string, SignalDataTypeMap[T]> = {}
      for (const id of ids) {
        const value = rows.get(`${type} ${id}`)
        if (value !== undefined) found[id] = value as SignalDataTypeMap[T]
      }
      return found
    },
    set: (data: SignalDataSet) => {
      for (const [type, entries] of Object.entries(data)) {
        for (const [id, value] of Object.entries(entries)) {
          if (value === null) rows.delete(`${type} ${id}`)
          else rows.set(`${type} ${id}`, value)
        }
      }
    },
    wipe: () => rows.clear(),
  }
}
