import type { Like } from '../../language.ts'
import type { words as english } from './en.ts'

/** Spanish words of usage and health. */
export const words: Like<typeof english> = {
  heading: 'Uso y salud',
  attention: {
    heading: 'Necesita atención ahora',
    none: 'Nada necesita atención.',
    webhookOff: {
      GONE: 'apagado: su dirección ya no existe',
      FAILING: 'apagado: falló durante demasiado tiempo',
    },
    webhookFails: (count: number) =>
      count === 1 ? '1 entrega falló en las últimas 24 horas' : `${count} entregas fallaron en las últimas 24 horas`,
    webhook: 'Webhook',
    states: { CLOSE: 'no está conectado', CONNECTING: 'se está conectando' },
    levels: {
      warning: 'recibió un aviso de la red de dispositivos',
      restricted: 'está restringido por la red de dispositivos',
    },
    notSendable: 'no puede enviar nada ahora: la plataforma no acepta sus mensajes',
    status: (status: string) => `tiene el estado ${status} en la plataforma`,
    quality: (rating: string) => `tiene la calidad ${rating} en la plataforma`,
    callsWait: 'todavía no puede llamar: la plataforma no entrega sus llamadas',
    templates: 'Plantillas',
    rejected: (count: number) => (count === 1 ? '1 plantilla fue rechazada' : `${count} plantillas fueron rechazadas`),
    disabled: (count: number) =>
      count === 1 ? '1 plantilla está en pausa o desactivada' : `${count} plantillas están en pausa o desactivadas`,
  },
  standing: {
    heading: 'Números',
    none: 'Todavía no hay números.',
    number: 'Número',
    state: 'Estado',
    quality: 'Calidad',
    limit: 'Límite de mensajes',
    states: { OPEN: 'Conectado', CONNECTING: 'Conectando', CLOSE: 'No conectado', LOADING: 'Conectado, cargando' },
    levels: { ok: 'buena', warning: 'con aviso', restricted: 'restringida' },
    noQuality: 'Sin calificación',
    noLimit: 'Límite no informado',
  },
}
