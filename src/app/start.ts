/**
 * Start-up step (specification 4.6): runs a step and returns its result. If it fails, logs the error and returns
 * `fallback`, so that the app continues.
 */
export async function runStep<Value>(run: () => Value | Promise<Value>, fallback: Value): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    console.error(error);
    return fallback;
  }
}
