import type { TestFn } from 'ava'
import type { Browser } from 'playwright-core'
import { openBrowser, usesBrowser } from './browser.ts'
import { serveScriptedEmbed } from './scripted-embed.ts'
import type { ScriptedEmbed } from './scripted-embed.ts'

/** Set before the tests of a file, and ended behind them. */
export interface SdkWorld {
  readonly world: ScriptedEmbed
  readonly browser: Browser
}

/**
 * A browser and a scripted service for all tests of a file, which have the script as it was again before each.
 * `mayFrame`: the origins that it allows; null says nothing of them.
 */
export function sdkWorld(test: TestFn, mayFrame: (world: ScriptedEmbed) => readonly string[] | null): SdkWorld {
  const opened = {} as { world?: ScriptedEmbed; browser?: Browser }
  const ends: (() => unknown)[] = []
  test.before(async () => {
    if (!usesBrowser) return
    const t = { teardown: (end: () => unknown) => void ends.push(end) }
    opened.world = await serveScriptedEmbed(t)
    opened.browser = await openBrowser(t)
  })
  test.after.always(async () => {
    for (const end of ends) await end()
  })
  test.beforeEach(() => {
    const { world } = opened
    if (world)
      Object.assign(world.script, {
        allowedOrigins: mayFrame(world),
        isMute: false,
        namedOrigins: null,
        diagnose: () => ({ ok: true, reason: null, hint: '' }),
      })
  })
  return opened as SdkWorld
}
