import Contact from 'lucide/dist/esm/icons/contact.mjs'
import FileText from 'lucide/dist/esm/icons/file-text.mjs'
import Image from 'lucide/dist/esm/icons/image.mjs'
import LayoutTemplate from 'lucide/dist/esm/icons/layout-template.mjs'
import MapPin from 'lucide/dist/esm/icons/map-pin.mjs'
import Mic from 'lucide/dist/esm/icons/mic.mjs'
import Volume2 from 'lucide/dist/esm/icons/volume-2.mjs'
import Sticker from 'lucide/dist/esm/icons/sticker.mjs'
import Video from 'lucide/dist/esm/icons/video.mjs'
import type { IconNode } from 'lucide'
import { Icon } from '../../ui/icon.tsx'

const ICONS: Readonly<Record<string, IconNode>> = {
  image: Image,
  video: Video,
  audio: Volume2,
  voice: Mic,
  document: FileText,
  sticker: Sticker,
  location: MapPin,
  contacts: Contact,
  template: LayoutTemplate,
}

/** The icon of a message type in a preview; texts have none. */
export function TypeIcon({ type }: { readonly type: string }) {
  const icon = Object.hasOwn(ICONS, type) ? ICONS[type] : undefined
  return icon ? <Icon of={icon} size={14} /> : null
}
