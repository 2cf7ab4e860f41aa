import Contact from 'lucide/dist/esm/icons/contact.mjs'
import MapPin from 'lucide/dist/esm/icons/map-pin.mjs'
import { useDrawn } from '../context.ts'
import MenuPanel from '../menu/menu-panel.tsx'
import type { MenuPlace } from '../menu/use-menu.ts'
import { useMoreWords } from '../more-words.ts'

/** What may take the place of the text field. */
export type Picked = 'templates' | 'replies' | 'location' | 'contacts'

interface MoreMenuProps {
  readonly place: MenuPlace
  readonly onPick: (what: Picked) => void
  readonly onClose: () => void
}

/** What is rarely sent: a place, and a card of a person. */
export default function MoreMenu({ place, onPick, onClose }: MoreMenuProps) {
  const { words } = useDrawn()
  const said = useMoreWords()
  if (said === null) return null
  const items = [
    { action: 'location', label: said.location, icon: MapPin, act: () => onPick('location') },
    { action: 'contacts', label: said.contact, icon: Contact, act: () => onPick('contacts') },
  ]
  return <MenuPanel label={words.composer.more} items={items} place={place} onClose={onClose} />
}
