import { createHttpApp } from '../../src/http/server.ts'
import { startHttp } from '../../src/http/listen.ts'
import { PATIENCE } from './http-app.ts'
import { World } from './world.ts'

/** Messages of the program below to its parent. */
export type BoundedServerNews = { readonly port: number; readonly key: string } | { readonly answered: number }

/**
 * The REST application as a program of its own, so that a test can limit its heap. It reports its port and a key, and
 * then how many requests were answered.
 */
if (process.send) {
  const tell = (news: BoundedServerNews): void => void process.send?.(news)
  const world = new World()
  const key = world.keys.issue(world.tenantId, null).raw
  let answered = 0
  const info = (_fields: object, text: string): void => {
    if (text !== 'request answered') return
    answered++
    tell({ answered })
  }
  const app = createHttpApp({ ...world.deps(), log: { ...world.log, info } })
  const { port } = await startHttp(app, { host: '127.0.0.1', port: 0, patience: PATIENCE })
  tell({ port, key })
}
