import type { Like } from '../../language.ts'
import { words as list } from '../lead-pages/es.ts'
import type { words as english } from './en.ts'

/** Spanish words of the page of a linked Page. */
export const words: Like<typeof english> = {
  list,
  heading: 'Página',
  above: 'Todas las Páginas',
  number: 'Número',
  linked: 'Enlazada',
  id: 'Id de la Página',
  check: 'Preguntar su estado ahora',
  leads: 'Sus leads',
  forms: {
    heading: 'Formularios',
    none: 'La Página no tiene formularios.',
    form: 'Formulario',
    consent: 'Consentimiento',
    noConsent: 'No se pide',
    answer: 'Respuesta',
    answered: 'Con una plantilla',
    notAnswered: 'Ninguna',
    status: 'Estado',
  },
  settings: {
    consentKey: 'Casilla que da el consentimiento',
    consentHint: 'Los leads ya guardados se quedan como están.',
    noCheckbox: 'Este formulario no tiene casillas.',
    noConsent: 'Ninguna: no se conoce el consentimiento',
    template: 'Plantilla que responde a cada lead nuevo',
    templateHint: 'Su idioma es parte de ella. Los leads importados no se responden.',
    noTemplate: 'Ninguna: los leads no se responden',
    variable: 'Variable',
    from: 'Viene de',
    fixed: 'Un texto fijo',
    answerTo: (question: string) => `La respuesta a: ${question}`,
    value: 'Texto',
    fallback: 'Texto si la respuesta está vacía',
    fallbackHint: 'Sin él, un lead con la respuesta vacía no se responde.',
    onlyWithConsent: 'Solo con consentimiento',
    onlyWithConsentHint: 'Necesita la casilla que da el consentimiento.',
    days: 'No si una de las partes escribió en estos días',
    daysHint: '0: en todo caso. Como mucho 90.',
  },
  change: {
    heading: 'Cambiar el enlace',
    text: 'Lo que queda vacío no cambia. Los leads guardados se quedan con su número.',
    numberHint: 'Los leads nuevos van a él.',
    tokenHint: 'Se comprueba ahora. Lo que espera un token bueno se lee al momento.',
  },
  unlink: {
    action: 'Desenlazar',
    ask: '¿Desenlazar esta Página?',
    warning:
      'Sus leads guardados se quedan. Los avisados y aún no leídos se pierden, y lo definido para sus formularios.',
    done: 'La Página ya no está enlazada.',
  },
}
