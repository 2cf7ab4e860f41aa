/** [embeds.tokens.1]: the id, which may stand in an address, and the secret. */
const EMBED_TOKEN = /^(emb_[0-9a-z]{26})\.[\w-]{43,}$/
/**
 * Alone, or at the end of a path: the first is `remotePairingToken`, the second `remotePairingUrl`
 * ([pairing.create.2]).
 */
const PAIRING_TOKEN = /^(?:https?:\/\/[^?#]+\/)?(rp_[0-9a-z]{26})(?:[/?#].*)?$/

/** The session's id in an embed token; null where the text is no embed token. */
export function sessionIdOf(token: string): string | null {
  return EMBED_TOKEN.exec(token)?.[1] ?? null
}

/** The pairing token in what the service calls `remotePairingToken` or `remotePairingUrl`; null where there is none. */
export function pairingTokenOf(text: string): string | null {
  return PAIRING_TOKEN.exec(text)?.[1] ?? null
}

/**
 * What names a link in an address without its power: base64url of the token's SHA-256 ([pages.addresses.4]). Rejects on
 * pages without WebCrypto: those on http that is no loopback, which no session can allow ([embeds.origins.1]).
 */
export async function handleOf(pairingToken: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(pairingToken))
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '')
}
