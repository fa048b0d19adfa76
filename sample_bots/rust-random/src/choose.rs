use crate::messages::Request;

/// Your idea goes here: a request comes in, one of its legal actions goes out.
///
/// `request.view()` shows what your seat may know, and `request.time_us` how long you have (6.2).
/// A view holds all that matters for the decision, so nothing need be kept between two calls.
pub fn choose<'a>(request: &Request<'a>) -> &'a str {
    request.legal[fastrand::usize(..request.legal.len())]
}
