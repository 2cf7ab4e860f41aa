import type { Gauge } from '../../ports/metrics.ts'
import type { Engines } from './engines.ts'

/** Counts sessions at `engines` in a gauge with the label `state`: those that are connected, and those that wait. */
export function countedEngines(engines: Engines, gauge: Gauge): Engines {
  let [all, connected] = [0, 0]
  function tell(): void {
    gauge.set(connected, { state: 'connected' })
    gauge.set(all - connected, { state: 'waiting' })
  }
  tell()
  return {
    seat(numberId, probe) {
      const seat = engines.seat(numberId, probe)
      let isUp = false
      function link(nowUp: boolean): void {
        connected += Number(nowUp) - Number(isUp)
        isUp = nowUp
        tell()
      }
      all += 1
      tell()
      return {
        dial: () => seat.dial(),
        up() {
          link(true)
          seat.up()
        },
        over(ending) {
          link(false)
          return seat.over(ending)
        },
        leave() {
          all -= 1
          link(false)
          seat.leave()
        },
      }
    },
  }
}
