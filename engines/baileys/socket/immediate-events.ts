import type { BaileysEventEmitter, BaileysEventMap } from 'baileys'

/**
 * Hears events of a socket at the moment they are emitted, before the library's buffer delays them. Several listeners
 * may hear one event.
 */
export type Listen = <E extends keyof BaileysEventMap>(event: E, hear: (value: BaileysEventMap[E]) => void) => void

/**
 * Makes the function that hears events when they are emitted. The library gathers many events for 100 ms and more,
 * merges them, and holds them back until the network said that everything offline was delivered, which it may never
 * say.
 */
export function hearAtOnce(ev: BaileysEventEmitter, failed: (error: unknown) => void): Listen {
  const heard = new Map<keyof BaileysEventMap, ((value: never) => void)[]>()
  const emit = ev.emit.bind(ev)
  ev.emit = (event, value) => {
    for (const hear of heard.get(event) ?? []) {
      try {
        hear(value as never)
      } catch (error) {
        failed(error)
      }
    }
    return emit(event, value)
  }
  return (event, hear) => {
    heard.set(event, [...(heard.get(event) ?? []), hear as (value: never) => void])
  }
}
