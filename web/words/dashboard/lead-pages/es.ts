import type { Like } from '../../language.ts'
import type { words as english } from './en.ts'

/** Spanish words of the Pages whose leads come. */
export const words: Like<typeof english> = {
  heading: 'Páginas con formularios',
  above: 'Todos los leads',
  none: 'Ninguna Página está enlazada a este número. Enlaza una, y los leads de sus formularios llegan a este número.',
  page: 'Página',
  pending: 'Esperando',
  pendingCount: (count: number) => (count === 1 ? '1 lead' : `${count} leads`),
  last: 'Último lead',
  state: 'Estado',
  standings: {
    SUBSCRIBED: 'Los leads llegan al momento',
    OTHER_CALLBACK: 'Entrega en otro lugar',
    NOT_SUBSCRIBED: 'No avisa de leads',
    TOKEN_REFUSED: 'Token rechazado',
  },
  meanings: {
    SUBSCRIBED: 'La red avisa de cada lead cuando se envía.',
    OTHER_CALLBACK: 'La aplicación entrega en otra dirección, que se deja así. Sus leads se buscan una vez por hora.',
    NOT_SUBSCRIBED: 'La red no aceptó la suscripción de la aplicación. Sus leads se buscan una vez por hora.',
    TOKEN_REFUSED: 'La red rechaza el token. Los leads esperan hasta que des uno nuevo abajo.',
  },
  link: {
    open: 'Enlazar una Página',
    text: 'Sus leads son de este número desde entonces. Una Página se enlaza a un solo número.',
    send: 'Enlazarla',
    pageId: 'Id de la Página',
    token: 'Token de la Página',
    tokenHint: 'Debe poder leer leads. Se comprueba ahora, y no se muestra nunca más.',
    appId: 'Id de la aplicación',
    appSecret: 'Secreto de la aplicación',
    ownHint: 'Vacío: el del número.',
    done: 'La Página está enlazada.',
  },
  byHand: {
    heading: 'La Página está enlazada, y sus leads llegan tarde',
    text: 'Para saber de los leads al momento, pon esta dirección y este token en el objeto “page” de la aplicación:',
    url: 'Dirección del webhook',
    token: 'Token para verificarla',
  },
  codes: {
    LEAD_PAGE_ALREADY_LINKED: 'Esta Página ya está enlazada, aquí o en otra cuenta.',
    LEAD_PAGE_NOT_FOUND: 'Esta cuenta no tiene esa Página. Puede haberse desenlazado.',
    LEAD_PAGE_REJECTED: 'La red rechazó:',
    LEAD_FORM_NOT_FOUND: 'La Página ya no tiene ese formulario.',
    TEMPLATE_NOT_FOUND: 'El número ya no tiene esa plantilla. Elige otra.',
    MISSING_TEMPLATE_VARIABLES: 'La plantilla necesita más valores:',
    INVALID_TEMPLATE_VARIABLE_VALUE: 'La red no aceptaría estos textos:',
    OFFICIAL_ERROR: 'La red rechazó, o no respondió:',
    OFFICIAL_THROTTLED: 'La red no acepta más peticiones ahora. Inténtalo de nuevo en un minuto.',
  },
}
