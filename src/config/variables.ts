import { z } from 'zod'
import {
  port,
  seconds,
  pace,
  waits,
  perMinute,
  onOff,
  isOrigin,
  list,
  urlOf,
  isAddressRange,
  isEgressEntry,
  isFilesUrl,
  otlpHeaders,
  workerUrl,
  apiKey,
  secret,
  encryptionKey,
  portRange,
} from './values.ts'

/**
 * The manual of the environment ([configuration.variables.1]): every variable that is read, and its meaning when unset.
 */
export const VARIABLES = z.object({
  /** Address the REST listener binds. */
  HOST: z.string().min(1).default('127.0.0.1'),
  /** Port of the REST listener; 0 picks a free one and logs it. */
  PORT: port.default(3000),
  /** Public base of REST and pages; default http://localhost:PORT. */
  BASE_URL: urlOf('http:', 'https:').optional(),
  /** Drawn on pages where no brand says otherwise [branding.theme.9]. */
  SERVICE_NAME: z.string().trim().min(1).max(60).default('Channel Messaging'),
  /** No embed session is refreshed past this age [embeds.refresh.1]. */
  EMBED_MAX_AGE_SECONDS: z.coerce
    .number('must be seconds')
    .int()
    .min(60)
    .max(30 * 86_400)
    .default(43_200),
  /** off: the dashboard, its login and /api but /api/public are 404 [configuration.variables.24]. */
  DASHBOARD: onOff.default('on'),
  /**
   * off: clients cannot register themselves with the authorization server, which its metadata then does not offer
   * [oauth.endpoints.6].
   */
  OAUTH_DYNAMIC_REGISTRATION: onOff.default('on'),
  /** Public base of the embedded inbox; default BASE_URL. */
  CHAT_EMBED_URL: urlOf('http:', 'https:').optional(),
  /** Public base of the embedded connect page; default BASE_URL. */
  CONNECT_EMBED_URL: urlOf('http:', 'https:').optional(),
  /**
   * PostgreSQL; unset: embedded database in DATA_DIR. A URL without a user means PGUSER, else the user who starts the
   * program.
   */
  DATABASE_URL: urlOf('postgres:', 'postgresql:').optional(),
  /**
   * A replica of DATABASE_URL that lists are read from: history, conversations, logs, events, leads, referrals. A read
   * that must see its own write goes to DATABASE_URL, as lists do while the replica is away or 5 s behind.
   */
  DATABASE_READ_URL: urlOf('postgres:', 'postgresql:').optional(),
  /** User of DATABASE_URL where the URL names none; unset: the user who starts the program. */
  PGUSER: z.string().min(1).optional(),
  /** Most connections to PostgreSQL, and as many to its replica (our choice: 10). */
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(10),
  /**
   * How many times longer than usual the database is waited for before requests are refused (our choice: 1; the
   * embedded one then has 9 s): for machines with too much to do.
   */
  DATABASE_PATIENCE: z.coerce.number().min(1).max(100).default(1),
  /** Embedded database, media files, generated secrets, node id. One process a directory. */
  DATA_DIR: z.string().min(1).default('./data'),
  /**
   * Names this node in leases, logs, /health/ready and metrics [configuration.variables.29]; unset: made once, kept in
   * DATA_DIR. Never that of another node that runs.
   */
  NODE_ID: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, hyphens or underscores')
    .optional(),
  /**
   * How long the lease of a number lasts, the same on all nodes [configuration.variables.30]: 6000; 15000 on the
   * embedded database, which has one node.
   */
  LEASE_TTL_MS: z.coerce.number('must be ms').int().min(1_000).max(600_000).optional(),
  /** Redis or Valkey for limits and wake-ups shared by nodes; unset: in-process. */
  REDIS_URL: urlOf('redis:', 'rediss:').optional(),
  /** Port of the media host's realtime socket, which voice bots reach. */
  MEDIA_PORT: port.default(3001),
  /** Port of the media host's control socket, which gateways reach. */
  MEDIA_CONTROL_PORT: port.default(3011),
  /** Address the control socket binds; loopback unless set. */
  MEDIA_CONTROL_HOST: z.string().min(1).default('127.0.0.1'),
  /**
   * What wsUrl starts with; default ws://localhost:MEDIA_PORT. {port} is the port of the realtime socket, {worker}
   * counts from 0.
   */
  MEDIA_PUBLIC_URL: workerUrl.optional(),
  /**
   * Calls that a media host takes however late its audio is (our choice: 8): with so few, lateness comes from other
   * work on the machine, which refusing them would not lessen.
   */
  MEDIA_SURE_CALLS: z.coerce.number().int().min(0).max(10_000).default(8),
  /**
   * Processes of one media host program; auto: one per core. Worker i listens on MEDIA_PORT + i and MEDIA_CONTROL_PORT
   * + i.
   */
  MEDIA_WORKERS: z
    .union(
      [z.literal('auto'), z.coerce.number().int().min(1).max(256)],
      'must be a number of processes, 1 to 256, or auto',
    )
    .default(1),
  /**
   * Where gateways reach a media host's control socket, as it registers in Redis; default ws://HOSTNAME and the port,
   * 127.0.0.1 where it binds loopback. {port} is the control port.
   */
  MEDIA_ADVERTISE_CONTROL: workerUrl.optional(),
  /**
   * Control URLs of media hosts, comma-separated; child: one as a child process; register: those registered in Redis.
   * Unset: register with DATABASE_URL, REDIS_URL and no sandbox, else child.
   */
  MEDIA_HOSTS: z
    .union(
      [z.enum(['child', 'register']), list.pipe(z.array(urlOf('ws:', 'wss:')).min(1))],
      'must be URLs starting with ws:// or wss://, comma-separated, or child, or register',
    )
    .optional(),
  /**
   * What SIGTERM waits at most, seconds: a gateway for what is under way, default 30; a media host for its live calls,
   * default 600.
   */
  DRAIN_SECONDS: z.coerce.number('must be seconds').min(0).max(86_400).optional(),
  /**
   * How long a gateway goes on accepting after SIGTERM while /health/ready says 503, seconds, so that no balancer sends
   * it what it would refuse [nodes.sigterm.1]; counted in DRAIN_SECONDS, at most half of it.
   */
  SHUTDOWN_DELAY_SECONDS: z.coerce.number('must be seconds').min(0).max(3_600).default(5),
  /** Address RTP legs bind and announce; unset: every address of the machine. */
  RTP_ADDRESS: z.union([z.ipv4(), z.ipv6()], 'must be an IP address').optional(),
  /** UDP ports of RTP legs, like 40000-49999; unset: any free one. */
  RTP_PORTS: portRange.optional(),
  /** Authenticates gateway and media host to each other; generated into DATA_DIR when the database is embedded. */
  INTERNAL_SECRET: secret.optional(),
  /**
   * 32 bytes base64; encrypts keys, access tokens and device state at rest; generated as INTERNAL_SECRET is. Several,
   * comma-separated, while one replaces another: the first seals, all open (docs/scale.md).
   */
  ENCRYPTION_KEY: encryptionKey.optional(),
  /** Starts the sandbox upstreams; default on when neither DATABASE_URL nor an upstream is set. */
  SANDBOX: onOff.optional(),
  /** Port of the sandbox's upstreams and of its control API. */
  SANDBOX_PORT: port.default(3002),
  /** The phone of a sandbox number scans each code by itself after 1 s. */
  SANDBOX_AUTOPAIR: onOff.default('off'),
  /** Base of the official platform's API, version segment included. */
  OFFICIAL_API_URL: urlOf('http:', 'https:').optional(),
  /**
   * WebSocket URL of the engine for QR-paired numbers; register: those registered in Redis. Unset: the sandbox, else
   * register with REDIS_URL.
   */
  DEVICE_BRIDGE_URL: z
    .union([z.literal('register'), urlOf('ws:', 'wss:')], 'must be a URL starting with ws:// or wss://, or register')
    .optional(),
  /** Bearer token shown to engines; derived from INTERNAL_SECRET for the sandbox and for registered ones. */
  DEVICE_BRIDGE_TOKEN: z.string().min(1).optional(),
  /**
   * Bucket of an S3-compatible storage for files of messages, logos and recordings,
   * `s3://bucket/prefix?endpoint=https://...&region=...`; unset: DATA_DIR [operation.files.1].
   */
  FILES_URL: z
    .string()
    .refine(isFilesUrl, 'must be s3://bucket/prefix, with endpoint=https://... and region=... where they are needed')
    .optional(),
  /** on: links to files lead to presigned addresses of the bucket that FILES_URL names [operation.files.4]. */
  FILES_REDIRECT: onOff.default('off'),
  /** Whose bucket FILES_URL is, or who may use it [operation.files.2]. */
  AWS_ACCESS_KEY_ID: z.string().min(1).optional(),
  /** Secret of AWS_ACCESS_KEY_ID. */
  AWS_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  /** Token of a session, where AWS_ACCESS_KEY_ID is of one. */
  AWS_SESSION_TOKEN: z.string().min(1).optional(),
  /**
   * Collector of OpenTelemetry that takes traces by OTLP over HTTP, without /v1/traces; unset: nothing is recorded
   * [operation.traces.1].
   */
  OTEL_EXPORTER_OTLP_ENDPOINT: urlOf('http:', 'https:').optional(),
  /** Headers of requests to it, `name=value`, comma-separated, each value percent-encoded. */
  OTEL_EXPORTER_OTLP_HEADERS: otlpHeaders.default({}),
  /** Share of requests that are recorded, from 0 to 1; those that say so themselves are. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number('must be a number').min(0).max(1).default(1),
  /** Tenant key of the tenant "Default" made on an empty database; unset: generated and printed once. */
  BOOTSTRAP_TENANT_KEY: apiKey.optional(),
  /** Hosts and CIDRs let through although private; sandbox on: 127.0.0.0/8,::1. */
  EGRESS_ALLOW: list
    .refine((entries) => entries.every(isEgressEntry), 'must be addresses, CIDRs or host names, comma-separated')
    .optional(),
  /** CIDRs of proxies whose x-forwarded-for names the client for limits by address; unset: it is not looked at. */
  TRUSTED_PROXIES: list
    .refine((entries) => entries.every(isAddressRange), 'must be addresses or CIDRs, comma-separated')
    .default([]),
  /** Most connections to PORT at once (our choice). */
  CONNECTIONS: z.coerce.number('must be a number of connections').int().min(10).max(1_000_000).default(10_000),
  /** Most connections to PORT from one address, or a /64 of IPv6; TRUSTED_PROXIES do not count (our choice). */
  CONNECTIONS_PER_ADDRESS: z.coerce
    .number('must be a number of connections')
    .int()
    .min(10)
    .max(1_000_000)
    .default(1_000),
  /** The least severe lines of the log that are written. */
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /** Another port for /metrics; unset: on PORT. */
  METRICS_PORT: port.optional(),
  /** off refuses x-api-key-id as authentication [keys.credentials.2]. */
  API_KEY_ID_AUTH: onOff.default('on'),
  /**
   * Origins of pages that may call tools beside that of BASE_URL, comma-separated, or * for any
   * [configuration.variables.26].
   */
  MCP_ALLOWED_ORIGINS: list
    .refine(
      (entries) => entries.every((entry) => entry === '*' || isOrigin(entry)),
      'must be origins such as https://agent.example, comma-separated, or *',
    )
    .default([]),
  /** An outbound call fails when its peer's phone does not ring for this long [calls.states.8], seconds. */
  CALL_UNRINGING_SECONDS: seconds.default(30),
  /** A call that rings for this long without an answer is over [calls.states.6], seconds. */
  CALL_RING_SECONDS: seconds.default(60),
  /** An answered call fails when its audio does not come up within this time [calls.states.13], seconds. */
  CALL_MEDIA_SECONDS: seconds.default(20),
  /** A number is DISCONNECTED when its session is away for this long [numbers.events.2], seconds. */
  NUMBER_DISCONNECTED_SECONDS: seconds.default(30),
  /** Messages that an OFFICIAL number sends a second, whatever upstream names (our choice); 0 is no limit. */
  OFFICIAL_SENDS_PER_SECOND: pace.optional(),
  /** Messages that an UNOFFICIAL number sends a second at most (our choice); 0 is no limit. */
  UNOFFICIAL_SENDS_PER_SECOND: pace.default(20),
  /** Pause of an UNOFFICIAL number between two messages to one recipient, seconds (our choice); 0 is none. */
  UNOFFICIAL_RECIPIENT_SECONDS: z.coerce.number('must be seconds').min(0).max(3_600).default(1),
  /** How long a status may name an OFFICIAL message whose answer was lost, before it is sent again. */
  OFFICIAL_RECONCILE_SECONDS: seconds.default(20),
  /** Waits before each try of a webhook delivery after the first, seconds, comma-separated [webhooks.retries.1]. */
  WEBHOOK_RETRY_SECONDS: waits.optional(),
  /** Waits before a lead is asked of upstream again, seconds, comma-separated; the last repeats [leads.fetching.3]. */
  LEAD_RETRY_SECONDS: waits.optional(),
  /** A try of a webhook delivery ends after this long [webhooks.delivery.6]. */
  WEBHOOK_TIMEOUT_SECONDS: seconds.default(15),
  /**
   * Waits before each try to find out the names of an ad after the first, seconds, comma-separated [referrals.names.8];
   * after the last the next click asks again.
   */
  AD_NAME_RETRY_SECONDS: waits.default([5, 60, 600, 3_600, 21_600, 86_400]),
  /** Requests that a key may make a minute, where its tenant has no limit of its own [rest.rate-limits.2]. */
  REQUESTS_PER_MINUTE: perMinute.default(600),
  /** Sends that a key may make a minute, where its tenant has no limit of its own [rest.rate-limits.2]. */
  SENDS_PER_MINUTE: perMinute.default(1_200),
})

/** The environment as it was checked. */
export type Variables = z.infer<typeof VARIABLES>
