/** [embeds.tokens.1]: an id, which may stand in an address, and a secret. */
const EMBED_TOKEN = /^(emb_[0-9a-z]{26})\.[\w-]{43,}$/
/** A pairing token alone (`remotePairingToken`) or at the end of a path (`remotePairingUrl`) ([pairing.create.2]). */
const PAIRING_TOKEN = /^(?:https?:\/\/[^?#]+\/)?(rp_[0-9a-z]{26})(?:[/?#].*)?$/

/** The session id in an embed token; null when the text is no embed token. */
export function sessionIdOf(token: string): string | null {
  return EMBED_TOKEN.exec(token)?.[1] ?? null
}

/** The pairing token in a `remotePairingToken` or `remotePairingUrl`; null when there is none. */
export function pairingTokenOf(text: string): string | null {
  return PAIRING_TOKEN.exec(text)?.[1] ?? null
}

/**
 * A handle that names a link in an address without its power to pair: base64url of the token's SHA-256
 * ([pages.addresses.4]). Rejects on pages without WebCrypto, which are pages on http that is no loopback; no session
 * can allow those ([embeds.origins.1]).
 */
export async function handleOf(pairingToken: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(pairingToken))
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '')
}
