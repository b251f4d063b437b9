/**
 * Calls a listener that has no say in what it hears. One that throws has a bug, which is thrown again where nobody waits:
 * neither the other listeners nor what they are told of (a job that ends, a timer that is due) miss anything by it.
 */
export function callListener<T>(listener: ((event: T) => void) | undefined, event: T): void {
  try {
    listener?.(event);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
