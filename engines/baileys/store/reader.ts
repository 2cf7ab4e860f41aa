import type { Driver, Reader } from './driver.ts'
import { endByFault, type Hold } from './hold.ts'

/** The reads of a number while it is held. One that fails for no fault of its values ends the hold first. */
export function readerOf(driver: Driver, hold: Hold): Reader {
  async function whileHeld<T>(read: () => Promise<T>): Promise<T> {
    hold.over.throwIfAborted()
    try {
      return await read()
    } catch (error) {
      endByFault(hold, error)
      throw error
    }
  }
  return {
    read: (query, values) => whileHeld(() => driver.read(query, values, hold)),
    keys: (type, ids) => whileHeld(() => driver.keys(type, ids, hold)),
  }
}
