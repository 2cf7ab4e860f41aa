import type { Config } from '../process/config.ts'
import { secureProxyAgent } from '../socket/proxy-agent.ts'
import { checkBuild, checkClock, checkNetwork, checkProxy, checkStore, checkToken, type Finding } from './checks.ts'
import { checkFleet } from './fleet.ts'
import { checkPlace } from './place.ts'

const SIGNS = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' } as const

/**
 * `npm run engine -- doctor`: checks all that an engine needs and says what to do. Resolves to the exit code: 1 when a
 * check failed.
 */
export async function runDoctor(config: Config, print: (line: string) => void): Promise<number> {
  const agent = config.proxy === null ? null : secureProxyAgent(config.proxy)
  const findings = [
    await checkStore(config),
    checkPlace(config),
    await checkFleet(config),
    checkToken(config),
    ...(await Promise.all([
      checkProxy(config),
      checkNetwork(config, agent),
      checkClock(config, agent, () => Date.now()),
      checkBuild(config),
    ])),
  ]
  agent?.destroy()
  for (const line of linesOf(findings)) print(line)
  return findings.some(({ outcome }) => outcome === 'failed') ? 1 : 0
}

/** One line for each finding, and one for what to do. */
export function linesOf(findings: readonly Finding[]): readonly string[] {
  const width = Math.max(...findings.map(({ name }) => name.length))
  return findings.flatMap(({ name, outcome, seen, todo }) => [
    `${SIGNS[outcome]}  ${name.padEnd(width)}  ${seen}`,
    ...(todo === undefined || outcome === 'ok' ? [] : [`         ${' '.repeat(width)}  -> ${todo}`]),
  ])
}
