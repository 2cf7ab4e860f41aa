import type { Like } from '../../language.ts'
import { words as hooks } from '../hooks/es.ts'
import type { words as english } from './en.ts'

/** Spanish words of the page of a webhook. */
export const words: Like<typeof english> = {
  hooks,
  webhooks: 'Webhooks',
  loading: 'Webhook',
  facts: { url: 'Dirección', number: 'Número', events: 'Eventos', last: 'Última entrega', created: 'Creado', id: 'Id' },
  noEvents: 'Ninguno: no se entrega nada. Elige eventos abajo.',
  pause: 'Pausar',
  resume: 'Reanudar',
  enable: 'Encender de nuevo',
  paused: 'El webhook está en pausa: no se entrega nada, y lo que pase mientras tanto no se envía después.',
  resumed: 'El webhook está activo.',
  disabled: {
    heading: 'El servicio apagó este webhook',
    GONE: 'El receptor respondió 410: lo que escuchaba ya no existe.',
    FAILING: 'Durante 5 días solo hubo fallos.',
    since: 'Apagado',
    text: 'Lo que pasó desde entonces no se entregó. Arregla el receptor y enciende el webhook de nuevo.',
  },
  pausedCard: {
    heading: 'Este webhook está en pausa',
    text: 'No se entrega nada. Lo que pase mientras tanto no se envía después.',
  },
  failing: (count) =>
    count === 1 ? '1 entrega falló en las últimas 24 horas.' : `${count} entregas fallaron en las últimas 24 horas.`,
  failingText: 'La última entrega falló. El registro de abajo muestra lo que respondió el receptor.',
  test: 'Enviar un evento de prueba',
  testing: 'Enviando',
  testPassed: (code, ms) => `El receptor aceptó el evento de prueba: ${code}, en ${ms} ms.`,
  testRefused: (code, ms) => `El receptor respondió al evento de prueba con ${code}, en ${ms} ms.`,
  testLost: (ms) => `No llegó respuesta al evento de prueba, tras ${ms} ms.`,
  answer: 'Respuesta',
  noAnswer: 'La respuesta estaba vacía.',
  secret: {
    heading: 'Secreto de firma',
    text: 'Un secreto nuevo firma de inmediato. El anterior firma a su lado durante 24 horas, para que no se rechace nada.',
    rotate: 'Cambiar el secreto',
    lost: 'El secreto anterior al actual deja de firmar de inmediato, si aún lo hace.',
    shown: 'Nuevo secreto de firma',
    until: 'El secreto anterior también firma hasta',
  },
  remove: {
    heading: 'Eliminar',
    action: 'Eliminar el webhook',
    text: 'No se entrega nada más, tampoco los intentos en cola. El registro también se borra.',
    done: 'El webhook está eliminado.',
  },
  settings: 'Ajustes',
  saved: 'El webhook está guardado.',
  log: {
    heading: 'Entregas',
    text: 'Cada intento de los últimos 30 días, el más nuevo primero.',
    none: 'Aún no hay intentos. Envía un evento de prueba para ver uno.',
    noneSuch: 'No hay ningún intento así.',
    again: 'Leer de nuevo',
    status: 'Estado',
    any: 'Todos',
    statuses: { SUCCESS: 'entregado', FAILED: 'falló' },
    columns: {
      event: 'Evento',
      status: 'Estado',
      code: 'Código',
      duration: 'Duración',
      attempt: 'Intento',
      at: 'Hora',
      act: 'Acciones',
    },
    noCode: 'sin respuesta',
    redeliver: 'Reenviar',
    redeliverOf: (event) => `Reenviar ${event}`,
    queued: 'El evento está en cola: se entrega de nuevo ahora.',
    show: (event) => `Mostrar ${event}`,
  },
  failed: {
    heading: 'Reenviar lo que falló',
    text: 'Se envía una vez cada evento cuyo último intento en el periodo falló, como mucho 1.000 a la vez.',
    range: 'Periodo',
    ranges: {
      hour: 'última hora',
      day: 'últimas 24 horas',
      week: 'últimos 7 días',
      month: 'últimos 30 días',
      own: 'desde, hasta',
    },
    since: 'Desde',
    until: 'Hasta',
    untilHint: 'Vacío significa ahora.',
    action: 'Reenviar todo lo que falló',
    queued: (count) =>
      count === 0
        ? 'Nada espera en este periodo: ningún evento falló al final.'
        : count === 1
          ? '1 evento está en cola.'
          : `${count} eventos están en cola.`,
  },
  detail: {
    eventId: 'Id del evento',
    response: 'Respuesta del receptor',
    curl: 'Copiar como curl',
    curlHint: 'Sin la firma: aquí no se conoce el secreto.',
  },
}
