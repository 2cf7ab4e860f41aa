import { useState } from 'preact/hooks'

/** A brand's logo. One that does not load is left out ([branding.theme.9]). The name beside it says whose it is. */
export function Logo({ url }: { readonly url: string | null }) {
  const [missing, setMissing] = useState<string | null>(null)
  if (url === null || url === missing) return null
  return <img class="logo" data-logo src={url} alt="" referrerpolicy="no-referrer" onError={() => setMissing(url)} />
}
