use std::error::Error;

use crate::messages::Request;

/// Your idea goes here: a request comes in, one of its legal actions goes out.
///
/// Read `request.legal`, what you may do, never empty; `request.time_us`, how long you have, in
/// microseconds (6.2); and `request.view()`, what your seat may know, decoded when you ask for it:
///
/// ```
/// if let crate::views::View::Trick(view) = request.view()? {
///     eprintln!("I hold {:?}, trump is {:?}", view.hand, view.trump);
/// }
/// ```
///
/// `views.rs` lists the fields of each view, and `cards.rs` has helpers for both kinds. A view
/// holds what the decision needs, so nothing need be kept between two calls (10.3). An error ends
/// the program, and is printed.
pub fn decide<'a>(request: &Request<'a>) -> Result<&'a str, Box<dyn Error>> {
    Ok(request.lot())
}
