/** The code that people copy into their product (docs/embed.md). Pure. */
import type { EmbedSurface } from '../../../../src/domain/embed-session.ts'
import type { SdkVersion } from './service.ts'

const MOUNTS: Readonly<Record<EmbedSurface, readonly string[]>> = {
  chat: [
    "  Channel.chat.mount('#channel', {",
    '    height: 640,',
    "    fetchToken: () => fetch('/embed-token', { method: 'POST' }).then((answer) => answer.text()),",
    '  })',
  ],
  connect: ["  Channel.connect.mount('#channel', {", "    token: 'rp_...',", '  })'],
}

/** HTML for the page: this version of the script and no other, which the browser checks by its integrity. */
export function pageSnippet(surface: EmbedSurface, { url, integrity }: SdkVersion): string {
  return [
    '<div id="channel"></div>',
    `<script src="${url}" integrity="${integrity}" crossorigin="anonymous"></script>`,
    '<script>',
    ...MOUNTS[surface],
    '</script>',
  ].join('\n')
}

/** The request of the backend that makes a session; it holds no secret. */
export function backendSnippet(surface: EmbedSurface, baseUrl: string): string {
  const body = {
    surface,
    ...(surface === 'chat' ? { channelNumberIds: ['num_...'] } : {}),
    allowedOrigins: ['https://crm.example'],
  }
  return [
    `curl -X POST "${baseUrl}/v1/embed/sessions" -H "x-api-key: $TENANT_KEY" \\`,
    `  -H 'content-type: application/json' -d '${JSON.stringify(body)}'`,
  ].join('\n')
}
