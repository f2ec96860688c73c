/**
 * Start-up step (specification 4.6): runs one step. If it fails, the error is logged, and the app continues with the value
 * `fallback`.
 */
export async function runStep<Value>(run: () => Value | Promise<Value>, fallback: Value): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    console.error(error);
    return fallback;
  }
}
