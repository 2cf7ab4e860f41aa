import { htmlText } from '../pages/html-text.ts'
import type { OpenApiDocument } from './document.ts'

/**
 * What the page may do: run the one script that is served beside it, and ask this host. Styles need `unsafe-inline`,
 * because the script makes style elements and attributes without a nonce. Nothing is loaded from other hosts: the
 * script's requests to them are switched off below, and this policy would refuse them.
 */
export const REFERENCE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Changes that WCAG 2.2 AA asks of the default theme. Text that is too pale is made darker in light and paler in dark
 * (4.5:1 on the darkest surface it stands on). The arrows of the sidebar get their 24 pixels. The list of a group's
 * operations is shown whole and its paths wrap, because a list that scrolls could not be reached by keyboard.
 */
const THEME = `
.light-mode{--scalar-color-2:#525252;--scalar-color-3:#5c5c5c;--scalar-color-green:#046b47;--scalar-color-red:#b80006;--scalar-color-blue:#0061a3;
--scalar-color-orange:#a83a00;--scalar-color-yellow:#7a5c00;--scalar-color-accent:#0061a3}
.dark-mode{--scalar-color-2:#b8b8b8;--scalar-color-3:#a3a3a3;--scalar-color-red:#ff7b79;--scalar-color-accent:#4eb3ec}
.t-doc__sidebar button{min-width:24px;min-height:24px}
.endpoints-card *{max-height:none!important;overflow:visible!important;white-space:normal!important;overflow-wrap:anywhere}`

/** Settings of Scalar (https://scalar.com). The first six keep it from asking other hosts, and from linking to them. */
const SETTINGS = {
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  withDefaultFonts: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  // A key that a reader types in stays in this page, and is gone with it.
  persistAuth: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  documentDownloadType: 'json',
  // Properties keep the order of the schemas: the most important ones first.
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
  modelsSectionLabel: 'Schemas',
  customCss: THEME,
}

/**
 * The reference page. It reads the document by relative addresses, so it works under whatever name or proxy it was
 * reached; its requests go to where the page came from for the same reason.
 */
export function referencePage({ info }: OpenApiDocument, baseUrl: string, scriptName: string): string {
  const settings = { ...SETTINGS, servers: [{ url: new URL(baseUrl).pathname.replace(/\/$/, '') || '/' }] }
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${htmlText(info.title)}</title><link rel="icon" href="data:,"></head><body>
<noscript>This page needs JavaScript. The document it shows is at <a href="openapi.json">openapi.json</a>.</noscript>
<div id="api-reference" data-url="openapi.json" data-configuration="${htmlText(JSON.stringify(settings))}"></div>
<script src="${scriptName}"></script></body></html>`
}
