import { createHmac } from 'node:crypto'
import type { Config } from '../config.ts'
import { superviseChild, type Listening, type SupervisedChild } from '../process/child.ts'
import type { TraceSettings } from '../domain/trace-settings.ts'
import type { Core } from './core.ts'

/**
 * The port that a child listens on: the one of its first start is kept later, so that addresses given out stay valid.
 */
function portOf(last: Listening | null, name: string, wanted: number): string {
  return String(last?.[name] ?? wanted)
}

/** The sandbox's token is derived from the internal secret, so that pairings survive a restart of both. */
export function sandboxToken(config: Config, internalSecret: string): string {
  return (
    config.deviceBridgeToken
    ?? createHmac('sha256', internalSecret).update('device bridge of the sandbox').digest('base64url')
  )
}

/**
 * Starts the sandbox upstreams as a child program. It reports `port`, and lets pages of `baseUrl` tell it what to do.
 */
export async function startSandboxChild(
  { config, clock, log }: Core,
  internalSecret: string,
  baseUrl: string,
): Promise<SupervisedChild> {
  return await superviseChild(
    {
      name: 'sandbox',
      file: new URL('../../sandbox/main.ts', import.meta.url),
      env: (last) => ({
        BASE_URL: baseUrl,
        SANDBOX_PORT: portOf(last, 'port', config.sandbox.port),
        SANDBOX_AUTOPAIR: config.sandbox.autopair ? 'on' : 'off',
        DEVICE_BRIDGE_TOKEN: sandboxToken(config, internalSecret),
        LOG_LEVEL: config.logLevel,
      }),
    },
    clock,
    log,
  )
}

/**
 * Starts a media host as a child program. It reports `mediaPort` and `controlPort`, and with several workers
 * `controlPorts`. Its calls end with their gateway.
 */
export async function startMediaChild({ config, clock, log }: Core, internalSecret: string): Promise<SupervisedChild> {
  const { media } = config
  return await superviseChild(
    {
      name: 'media-host',
      file: new URL('../../media-host/main.ts', import.meta.url),
      env: (last) => ({
        HOST: media.host,
        MEDIA_PORT: portOf(last, 'mediaPort', media.mediaPort),
        MEDIA_CONTROL_PORT: portOf(last, 'controlPort', media.controlPort),
        MEDIA_CONTROL_HOST: media.controlHost,
        MEDIA_PUBLIC_URL: media.publicUrl ?? '',
        MEDIA_WORKERS: String(media.workers),
        MEDIA_SURE_CALLS: String(media.sureCalls),
        DRAIN_SECONDS: '0',
        RTP_ADDRESS: media.iceAddress ?? '',
        RTP_PORTS: media.rtpPorts?.join('-') ?? '',
        EGRESS_ALLOW: media.egressAllow.join(','),
        DATA_DIR: media.dataDir,
        SANDBOX: 'off',
        INTERNAL_SECRET: internalSecret,
        LOG_LEVEL: config.logLevel,
        ...traceVariables(config.traces),
      }),
    },
    clock,
    log,
  )
}

/** The variables that have a child send its spans where this program does. */
function traceVariables(traces: TraceSettings | null): Record<string, string> {
  if (traces === null) return {}
  const headers = Object.entries(traces.headers).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: traces.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: headers.join(','),
    OTEL_TRACES_SAMPLER_ARG: String(traces.share),
  }
}
